// Misconception: what returns a pointer to the object returns a copy of it.
// Caught by: TestCopyIsEqual
// Message: it is the same pointer: a write to the copy is one to the recipe

//go:build wrong

package mutation

func (r *Recipe) DeepCopy() *Recipe {
	c := r
	return c
}
