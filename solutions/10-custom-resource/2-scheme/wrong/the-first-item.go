// Breaks: The same goes for each Process of a ProcessList.
// Caught by: TestDefaultsOfAList
// Message: {Always, 10 s}]

//go:build wrong

package scheme

func fillList(list *ProcessList) {
	if len(list.Items) > 0 {
		fillProcess(&list.Items[0])
	}
}
