// Breaks: DeepCopy returns a new copy of in, or nil if in is nil.
// Caught by: TestNil
// Message: DeepCopy of a nil *Process: nil

//go:build wrong

package deepcopy

func (in *Process) DeepCopy() *Process {
	if in == nil {
		return &Process{}
	}
	out := new(Process)
	in.DeepCopyInto(out)
	return out
}
