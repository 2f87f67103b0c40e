// Misconception: equal values may be one variable.
// Caught by: TestPointersAreTheirOwn
// Message: the belief that equal values may be one variable

//go:build wrong

package scheme

var grace, period = int32(10), int32(5)

func fillSeconds(field **int32, seconds int32) {
	switch {
	case *field != nil:
	case seconds == 10:
		*field = &grace
	default:
		*field = &period
	}
}
