package listwatch_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/internal/memory"
)

// BenchmarkInitialSync is the time from the start until the view holds 1000 ConfigMaps of a kilobyte.
// Ours leaves the objects as JSON; the Reflector decodes them.
func BenchmarkInitialSync(b *testing.B) {
	const objects = 1000
	server := memory.New()
	payload := strings.Repeat("x", 1000)
	for i := range objects {
		body := fmt.Sprintf(`{"metadata":{"name":"cm-%d"},"data":{"payload":%q}}`, i, payload)
		req, err := http.NewRequest(http.MethodPost, "http://memory/configmaps", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		resp, err := server.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
	for name, f := range map[string]follower{"ours": ours, "reflector": upstreams} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				view, wait := f(ctx, &http.Client{Transport: server})
				for len(view()) < objects {
					time.Sleep(time.Millisecond)
				}
				cancel()
				wait()
			}
		})
	}
}
