// Breaks: When the server refuses a token with a 410, it has forgotten the state that the pages are of
// Caught by: TestExpiredInOtherWords
// Message: a 410 without a Status

//go:build wrong

package paging

func expired(err error) bool {
	refusal, ok := err.(*statusError)
	return ok && (refusal.Reason == "Expired" || refusal.Reason == "Gone") // wrong: the reason is the Status's
}
