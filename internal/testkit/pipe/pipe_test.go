package pipe

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// A server on a pipe is real HTTP, and runs on a bubble's clock.
func TestServeInABubble(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		transport, stop := Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "first ")
			w.(http.Flusher).Flush()
			time.Sleep(time.Hour)
			fmt.Fprint(w, r.URL.Path)
		}))
		defer stop()
		begin := time.Now()
		resp, err := (&http.Client{Transport: transport}).Get("http://anywhere/second")
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Zero(t, time.Since(begin), "the header is there at once")
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, "first /second", string(body))
		require.Equal(t, time.Hour, time.Since(begin))
	})
}

// Stop ends a response that has no end, and nobody gets in afterwards.
func TestStopEndsEverything(t *testing.T) {
	transport, stop := Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	client := &http.Client{Transport: transport}
	resp, err := client.Get("http://anywhere/")
	require.NoError(t, err)
	stop()
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err, "the response was cut")
	require.NoError(t, resp.Body.Close())
	_, err = client.Get("http://anywhere/")
	require.ErrorIs(t, err, net.ErrClosed)
	require.ErrorContains(t, err, "dial server")
}

func TestDialEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Listen("nobody accepts").Dial(ctx, "", "")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "dial nobody accepts")
}
