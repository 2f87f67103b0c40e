package stub

import (
	"strings"
	"testing"
)

const reference = `// Package p is an exercise.
package p

import (
	"bufio"
	"fmt"
	yaml "sigs.k8s.io/yaml"
	"k8s.io/klog/v2"
)

// T is given.
type T struct {
	//solution:begin
	//todo: what is kept
	buf *bufio.Reader
	//solution:end
}

// F does it.
func F(n int) error {
	//solution:begin
	//todo: do it
	//todo: and well
	//stub: if n > 0 {
	//stub: 	return nil
	//stub: }
	//stub: return fmt.Errorf("not yet")
	klog.Info(yaml.Marshal(n))
	return helper(n)
	//solution:end
}

//solution:begin

// helper helps.
func helper(int) error { return nil }

//solution:end
`

const want = `// Package p is an exercise.
package p

import (
	"fmt"
)

// T is given.
type T struct {
	// TODO: what is kept
}

// F does it.
func F(n int) error {
	// TODO: do it
	// and well
	if n > 0 {
		return nil
	}
	return fmt.Errorf("not yet")
}
`

func TestGenerate(t *testing.T) {
	got, err := Generate([]byte(reference))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := Generate(got); err != nil || string(again) != want {
		t.Errorf("a stub is its own stub: %v\n%s", err, again)
	}
	if n := Regions([]byte(reference)); n != 3 {
		t.Errorf("%d regions", n)
	}
}

func TestGenerateDropsAWholeImportDeclaration(t *testing.T) {
	got, err := Generate([]byte("package p\n\nimport \"fmt\"\n\nfunc F() {\n\t//solution:begin\n\tfmt.Println()\n" +
		"\t//solution:end\n}\n"))
	if err != nil || string(got) != "package p\n\nfunc F() {\n}\n" {
		t.Errorf("%v\n%q", err, got)
	}
}

func TestGenerateRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"inside the region":   "package p\n//solution:begin\n//solution:begin\n",
		"without //solution:": "package p\n//solution:end\n",
		"line 2":              "package p\n//solution:begin\n",
		"outside a region":    "package p\n//todo: x\n",
		"no Go code":          "package p\n//solution:begin\n//stub: func {\n//solution:end\n",
	} {
		if _, err := Generate([]byte(src)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: error %v", name, err)
		}
	}
}

func TestSame(t *testing.T) {
	const base = "package p\n\nimport (\n\t\"fmt\"\n\t\"io\"\n)\n\nvar x = []int{1, 2}\n\n" +
		"func F(a, b int) int { fmt.Println(); return a }\n\nfunc G(io.Reader) {}\n"
	for name, c := range map[string]struct {
		src  string
		same bool
	}{
		"itself":   {base, true},
		"comments": {strings.ReplaceAll(base, "\n\n", "\n\n// hm\n\n/* ha */\n"), true},
		"layout": {"package p\nimport \"io\"\nimport \"fmt\"\nvar x = []int{\n1,\n2,\n}\nfunc F(\na, b int,\n" +
			") int {\nfmt.Println()\nreturn a\n}\nfunc G(io.Reader) {\n}", true},
		"order": {"package p\n\nimport \"fmt\"\nimport \"io\"\n\nfunc G(io.Reader) {}\n\n" +
			"func F(a, b int) int { fmt.Println(); return a }\n\nvar x = []int{1, 2}\n", true},
		"a body":             {strings.Replace(base, "return a", "return b", 1), false},
		"a name":             {strings.Replace(base, "func G", "func H", 1), false},
		"a value":            {strings.Replace(base, "1, 2", "1, 3", 1), false},
		"a declaration more": {base + "\ntype T int\n", false},
		"an import":          {strings.Replace(base, `"io"`, `"io"`+"\n\t_ \"os\"", 1), false},
		"the package":        {strings.Replace(base, "package p", "package q", 1), false},
		"no Go":              {"package", false},
	} {
		if got := Same([]byte(base), []byte(c.src)); got != c.same {
			t.Errorf("%s: %v, want %v", name, got, c.same)
		}
	}
	if Same([]byte("package"), []byte("package")) {
		t.Error("two files that do not parse are the same")
	}
}
