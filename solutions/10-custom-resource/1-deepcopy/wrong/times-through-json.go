// Misconception: what went through JSON is what it was.
// Caught by: TestEachFieldIsCopied
// Message: the belief that what went through JSON is what it was

//go:build wrong

package deepcopy

import (
	"encoding/json"
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = nil
	text, err := json.Marshal(in.Status)
	if err != nil {
		panic(err)
	}
	var status ProcessStatus
	if err := json.Unmarshal(text, &status); err != nil {
		panic(err)
	}
	out.Status.StartedAt = status.StartedAt
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}
