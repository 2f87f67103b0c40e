package pins

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirects(t *testing.T) {
	root := t.TempDir()
	mod := "module example.com/m\n\ngo 1.26.0\n\nrequire (\n" +
		"\texample.com/plain v1.0.0\n" +
		"\texample.com/held v1.1.0 // held: the next one moves another\n" +
		"\texample.com/said v1.2.0 // a remark\n)\n\n" +
		"require example.com/below v1.3.0 // indirect\n"
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Directs(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []Direct{
		{Path: "example.com/plain", Version: "v1.0.0"},
		{Path: "example.com/held", Version: "v1.1.0", Held: "the next one moves another"},
		{Path: "example.com/said", Version: "v1.2.0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadNewest(t *testing.T) {
	list := []Direct{{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0"}}
	answer := `{"Path":"a","Version":"v1.0.0","Update":{"Path":"a","Version":"v1.2.0"}}` + "\n" +
		`{"Path":"b","Version":"v1.0.0"}` + "\n"
	if err := readNewest([]byte(answer), list); err != nil {
		t.Fatal(err)
	}
	if list[0].Newest != "v1.2.0" || list[1].Newest != "" {
		t.Errorf("%+v", list)
	}
	for _, bad := range []string{
		`{"Path":"a","Error":{"Err":"the module proxy does not answer"}}`,
		`{"Path":`,
	} {
		if err := readNewest([]byte(bad), list); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

func TestDirectsOfThisRepository(t *testing.T) {
	list, err := Directs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.Version == "" {
			t.Errorf("%s has no version", d.Path)
		}
	}
	if len(list) < 10 {
		t.Errorf("only %d direct dependencies: %v", len(list), list)
	}
}
