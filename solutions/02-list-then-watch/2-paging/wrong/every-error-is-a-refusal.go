// Breaks: Any other failure ends List without another request; so does a 410 for a request without a token.
// Caught by: TestNoAnswer
// Message: panic

//go:build wrong

package paging

import "net/http"

func expired(err error) bool {
	return err != nil && err.(*statusError).Code == http.StatusGone
}
