package fakeapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// GuardDefault makes http.DefaultTransport, and so http.Get, http.DefaultClient and any http.Client
// without a Transport, fail at once for the rest of the test, without touching the network. The function that it
// returns counts the attempts: code that should use the client it was given, and does not, shows there.
func GuardDefault(t testing.TB) (attempts func() int) {
	var mu sync.Mutex
	count := 0
	before := http.DefaultTransport
	http.DefaultTransport = &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			count++
			return nil, errors.New("http.DefaultTransport has no way to the test's server")
		},
	}
	t.Cleanup(func() { http.DefaultTransport = before })
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}
