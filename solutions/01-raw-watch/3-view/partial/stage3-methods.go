// A method for each thing that an event does. It asks before it deletes, and passes on what it is told.

//go:build partial

package view

import "errors"

func (v *View) Apply(event Event) (Kind, error) {
	obj := event.Object
	switch event.Type {
	case "ADDED", "MODIFIED":
		v.resourceVersion = obj.ResourceVersion
		return v.set(obj), nil
	case "DELETED":
		v.resourceVersion = obj.ResourceVersion
		if _, ok := v.objects[key(obj)]; !ok {
			return Nothing, nil
		}
		kind, err := v.left(obj)
		if err != nil {
			return Nothing, err
		}
		delete(v.objects, key(obj))
		return kind, nil
	case "BOOKMARK":
		v.resourceVersion = obj.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, errors.New("unknown type " + event.Type)
}

func (v *View) set(obj Object) Kind {
	_, ok := v.objects[key(obj)]
	v.objects[key(obj)] = obj
	if ok {
		return Changed
	}
	return Entered
}

func (v *View) left(obj Object) (Kind, error) {
	live, err := v.lookup(obj.Namespace, obj.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Nothing, err
	case live.UID == obj.UID:
		return Left, nil
	}
	return Gone, nil
}
