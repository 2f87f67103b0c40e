// Misconception: a reader gets what is there: a copy is a waste.
// Caught by: TestWhatIsReturnedIsTheCallers
// Message: the belief that nobody writes into what he is given
// Base: alt/difference

//go:build wrong

package sets

func (x *Index[T]) Keys(value string) []string { return x.keys[value] }
