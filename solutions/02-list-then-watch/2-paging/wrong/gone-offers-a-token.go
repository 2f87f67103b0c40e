// Breaks: When the server refuses a token with a 410, it has forgotten the state that the pages are of
// Caught by: TestExpiredInOtherWords
// Message: a 410 that offers no token

//go:build wrong

package paging

import "net/http"

func expired(err error) bool {
	refusal, ok := err.(*statusError)
	return ok && refusal.Code == http.StatusGone && refusal.Metadata.Continue != "" // wrong: some offer none
}
