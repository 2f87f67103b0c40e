// Misconception: an encoding of Go's own keeps what a Go value is.
// Caught by: TestEachFieldIsCopied
// Message: and is nil
// Removes: ProcessSpec.into, target

//go:build wrong

package deepcopy

import (
	"bytes"
	"encoding/gob"
)

func (in *Process) DeepCopyInto(out *Process) {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(in); err != nil {
		panic(err)
	}
	*out = Process{}
	if err := gob.NewDecoder(&text).Decode(out); err != nil {
		panic(err)
	}
}
