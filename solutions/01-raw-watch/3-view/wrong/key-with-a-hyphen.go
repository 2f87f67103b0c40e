// Breaks: Objects with another namespace or another name are other objects.
// Caught by: TestNamespaces
// Message: Apply returned Changed; the view was team/a-b@101, and is team-a/b@102

//go:build wrong

package view

// key returns what tells an object from every other one in the view.
func key(object Object) string { return object.Namespace + "-" + object.Name }
