package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

var stubsCheck = Check{
	Name: "stubs",
	Guards: "each stub is what its reference solution gives, " +
		"each given file the one whose hash is kept (not on a learner's fork)",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		references, err := t.Match("solutions/*/*/exercise.go")
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, reference := range references {
			some, err := stubOf(t, reference)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		stubs, err := t.Match("chapters/*/exercises/*/exercise.go")
		for _, s := range stubs {
			parts := strings.Split(s, "/")
			if reference := "solutions/" + parts[1] + "/" + parts[3] + "/exercise.go"; !t.Exists(reference) {
				found = append(found, Finding{s, 0, "has no reference solution " + reference,
					"write it, or remove the exercise"})
			}
		}
		return found, err
	},
}

// stubOf compares the stub and the given files of one exercise with its reference.
func stubOf(t *Tree, reference string) ([]Finding, error) {
	dir := path.Dir(reference)
	parts := strings.Split(dir, "/")
	exercise := "chapters/" + parts[1] + "/exercises/" + parts[2]
	mend := fmt.Sprintf("go run ./scripts/reset -stubs %s.%s", parts[1][:2], strings.SplitN(parts[2], "-", 2)[0])
	source, err := t.Read(reference)
	if err != nil {
		return nil, err
	}
	fresh, err := stub.Generate(source)
	if err != nil {
		return []Finding{{reference, 0, err.Error(),
			"mend the regions between //solution:begin and //solution:end"}}, nil
	}
	old, err := t.Read(exercise + "/exercise.go")
	if err != nil || !bytes.Equal(lf(old), lf(fresh)) {
		return []Finding{{exercise + "/exercise.go", 0, "is not the stub that the reference solution gives", mend}}, nil
	}
	sums, err := t.Read(dir + "/stub.sum")
	if err != nil {
		return []Finding{{dir + "/stub.sum", 0, "is missing: an edited test would not be noticed", mend}}, nil
	}
	var found []Finding
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := t.Read(exercise + "/" + name)
		hash := sha256.Sum256(lf(text))
		if err != nil || hex.EncodeToString(hash[:]) != sum {
			found = append(found, Finding{exercise + "/" + name, 0,
				"is not the file whose hash " + dir + "/stub.sum keeps", mend})
		}
	}
	return found, nil
}

// lf gives a text with the line ends of a Unix checkout.
func lf(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
