// Misconception: what goes to JSON and comes back is a copy, and as deep as can be.
// Caught by: TestCopyIsEqual
// Message: the belief that nil and empty are the same

//go:build wrong

package mutation

import "encoding/json"

func (r *Recipe) DeepCopy() *Recipe {
	if r == nil {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	var c Recipe
	if json.Unmarshal(text, &c) != nil {
		return nil
	}
	return &c
}
