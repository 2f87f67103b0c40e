// Breaks: DeepCopy returns a new copy of in, or nil if in is nil.
// Caught by: TestNil
// Message: nil pointer

//go:build wrong

package deepcopy

func (in *Process) DeepCopy() *Process {
	out := new(Process)
	in.DeepCopyInto(out)
	return out
}
