// The server is asked. Whatever it says but "the same object" counts as the end of the object, an error included.

//go:build partial

package view

import (
	"errors"
	"fmt"
)

func (v *View) Apply(event Event) (Kind, error) {
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
	case "ERROR":
		return Nothing, event.Status
	default:
		return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
	}
	k := key(event.Object)
	was, known := v.objects[k]
	switch {
	case event.Type == "BOOKMARK":
		return Nothing, nil
	case event.Type != "DELETED":
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case !known:
		return Nothing, nil
	}
	delete(v.objects, k)
	now, err := v.lookup(was.Namespace, was.Name)
	if errors.Is(err, ErrNotFound) || now.UID != was.UID {
		return Gone, nil
	}
	return Left, nil
}
