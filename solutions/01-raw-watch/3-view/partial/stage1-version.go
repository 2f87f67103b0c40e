// The resourceVersion comes along, of whatever has one; what is not known yet is refused.

//go:build partial

package view

import "fmt"

func (v *View) Apply(event Event) (Kind, error) {
	obj := event.Object
	v.resourceVersion = obj.ResourceVersion
	_, had := v.objects[key(obj)]
	if event.Type == "DELETED" {
		if !had {
			return Nothing, nil
		}
		delete(v.objects, key(obj))
		return Left, nil
	}
	if event.Type != "ADDED" && event.Type != "MODIFIED" {
		return Nothing, fmt.Errorf("what is %s?", event.Type)
	}
	v.objects[key(obj)] = obj
	if had {
		return Changed, nil
	}
	return Entered, nil
}
