// Three types of events, and a set of objects.

//go:build partial

package view

func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	_, known := v.objects[k]
	switch event.Type {
	case "ADDED", "MODIFIED":
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case "DELETED":
		if known {
			delete(v.objects, k)
			return Left, nil
		}
	}
	return Nothing, nil
}
