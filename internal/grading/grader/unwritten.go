package grader

import (
	"slices"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/bodies"
)

// unwritten are the functions that a stage is the first to ask for, and whose bodies are the stub's. A function that
// grows from stage to stage is none of them once it was begun.
func (v variant) unwritten(stubText []byte, s Stage) (out []string) {
	given, err := bodies.Of(stubText)
	if err != nil {
		return nil
	}
	mine, err := bodies.Of(v.source)
	if err != nil {
		return nil
	}
	for name, body := range given {
		first := stageHeading.FindStringSubmatch(body.Doc)
		if first != nil && first[1] == strconv.Itoa(s.Number) && mine[name].Tokens == body.Tokens {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
