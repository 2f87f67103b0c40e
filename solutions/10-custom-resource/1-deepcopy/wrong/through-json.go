// Misconception: what went through JSON is a copy.
// Caught by: TestEachFieldIsCopied
// Message: the belief that what went through JSON is what it was
// Removes: ProcessSpec.into, target

//go:build wrong

package deepcopy

import (
	"encoding/json"
)

func (in *Process) DeepCopyInto(out *Process) {
	text, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	*out = Process{}
	if err := json.Unmarshal(text, out); err != nil {
		panic(err)
	}
}
