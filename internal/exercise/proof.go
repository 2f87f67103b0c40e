package exercise

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
)

// Proof is what a graded test gives back when it has come to its end for the nth time. It is made of the secret, so
// that whoever catches the proof of one test has neither that of another nor the secret.
func Proof(secret, test string, n int) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s %d", test, n)
	return hex.EncodeToString(mac.Sum(nil))
}

// begins counts how often each graded test began. They do not run in parallel.
var begins = map[string]int{}

// prove says that a test has come to its end without a failure, in its last cleanup. A cleanup also runs when the
// test's goroutine ends in the middle of it, by a panic or [runtime.Goexit], which nobody has taken for a failure yet.
func prove(t *testing.T, n int) {
	if secret != "" && !t.Failed() && !unwinding() {
		t.Attr(DoneAttribute, Proof(secret, t.Name(), n))
	}
}

// unwinding reports whether this goroutine is at the end of a panic or of [runtime.Goexit].
func unwinding() bool { return calledBy("runtime.gopanic", "runtime.Goexit") }
