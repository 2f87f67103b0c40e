// Breaks: "Stores share nothing with each other."
// Caught by: TestStoresShareNothing
// Message: an object was created in one store

//go:build wrong

package conflict

var all = map[string]Object{} // wrong: whose?

// New makes an empty store.
func New() *Store { return &Store{objects: all} }
