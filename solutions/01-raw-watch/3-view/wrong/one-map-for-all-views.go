// Breaks: Instances share nothing: two of them work side by side as if the other were not there.
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
