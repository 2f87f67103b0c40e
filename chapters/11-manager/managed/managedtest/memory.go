// Package managedtest is what tests of a manager stand on that have no control plane: chapter 03's server in memory.
package managedtest

import (
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// watchTimeout is longer than any test in virtual time.
const watchTimeout = 1000 * 1000 * time.Hour

// Memory starts a server of ConfigMaps, whose watches do not end by themselves. Whatever is sent over the transport
// goes to it, until stop is called.
func Memory() (transport http.RoundTripper, stop func()) {
	handler := apiserver.New(storage.New(storage.Options{}), apiserver.Options{WatchTimeout: watchTimeout},
		apiserver.ConfigMaps)
	return pipe.Serve(handler)
}
