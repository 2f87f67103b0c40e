// Misconception: What is no DELETED, BOOKMARK or ERROR brings an object.
// Caught by: TestUnknownType
// Message: the belief that there will never be another type.

//go:build wrong

package view

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	was, known := v.objects[k]
	switch event.Type {
	default: // ADDED and MODIFIED
		v.resourceVersion = event.Object.ResourceVersion
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case "DELETED":
		v.resourceVersion = event.Object.ResourceVersion
		if !known {
			return Nothing, nil
		}
		delete(v.objects, k)
		return v.leftOrGone(was)
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
}
