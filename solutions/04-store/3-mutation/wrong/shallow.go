// Misconception: to copy the struct is to copy the object.
// Caught by: TestCopySharesNothing
// Message: the belief that a copied struct has copies of what its fields lead to

//go:build wrong

package mutation

func (r *Recipe) DeepCopy() *Recipe {
	if r == nil {
		return nil
	}
	c := *r
	return &c
}
