// Breaks: Any other failure ends List without another request; so does a 410 for a request without a token.
// Caught by: TestRefused
// Message: and its message has the number 410

//go:build wrong

package paging

import "strings"

func expired(err error) bool {
	return err != nil && strings.Contains(err.Error(), "410")
}
