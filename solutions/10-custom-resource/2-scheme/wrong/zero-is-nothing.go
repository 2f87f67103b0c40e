// Misconception: a number that is 0 was not set.
// Caught by: TestWhatIsSetStays
// Message: the belief that 0 is as good as nothing

//go:build wrong

package scheme

func fillSeconds(field **int32, seconds int32) {
	if *field == nil || **field == 0 {
		*field = &seconds
	}
}
