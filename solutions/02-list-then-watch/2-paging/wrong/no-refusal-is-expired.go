// Breaks: Any other failure ends List without another request; so does a 410 for a request without a token.
// Caught by: TestNoAnswer
// Message: then no limit

//go:build wrong

package paging

import "net/http"

func expired(err error) bool {
	refusal, ok := err.(*statusError)
	return err != nil && (!ok || refusal.Code == http.StatusGone)
}
