// Misconception: a struct that is assigned is copied.
// Caught by: TestTheSpecIsItsOwn
// Message: somebody writes to out.Spec.Args[0], and nothing changes in in
// Removes: ProcessSpec.into, target

//go:build wrong

package deepcopy

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
}
