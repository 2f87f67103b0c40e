// Breaks: It is Gone if errors.Is finds ErrNotFound in Lookup's error, or if the UID is another one.
// Caught by: TestNotFoundMayBeWrapped
// Message: Apply returned Left and the error "configmaps \"a\": not found"

//go:build wrong

package view

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case err == ErrNotFound:
		return Gone, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
