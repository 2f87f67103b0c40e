// Misconception: A name can be given anew, and only the UID tells one object from another.
// Caught by: TestTheNameWasGivenAnew
// Message: the belief that a view has to tell the next object of a name from the one before.

//go:build wrong

package view

// key returns what tells an object from every other one in the view.
func key(object Object) string { return object.UID }
