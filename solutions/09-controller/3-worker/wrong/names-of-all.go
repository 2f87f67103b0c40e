// Breaks: Its text has the names of all that are not done, and of no others,
// Caught by: TestEndsBeforeTheCaches
// Message: the error has the names of those, and no others

//go:build wrong

package worker

func (w Work) missing() (names []string) {
	for _, checker := range w.Synced {
		names = append(names, checker.Name())
	}
	return names
}
