// Misconception: A program has one view.
// Caught by: TestViewsAreOnTheirOwn
// Message: it is a@101

//go:build wrong

package view

var objects = map[string]Object{}

// New returns the view that a list has, from which the watch goes on.
func New(resourceVersion string, list []Object, lookup Lookup) *View {
	clear(objects)
	v := &View{objects: objects, resourceVersion: resourceVersion, lookup: lookup}
	for _, object := range list {
		v.objects[key(object)] = object
	}
	return v
}
