// Misconception: the variable of a range is the element.
// Caught by: TestDefaultsOfAList
// Message: the belief that range hands out the items

//go:build wrong

package scheme

func fillList(list *ProcessList) {
	for _, p := range list.Items {
		fillProcess(&p)
	}
}
