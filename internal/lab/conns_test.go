package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// A connection whose response is still open is not idle, so that CloseIdleConnections leaves it. The end of a run does
// not.
func TestTheEndClosesConnectionsThatAreBusy(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	all := newConns()
	transport := &http.Transport{DialContext: all.dial}
	resp, err := (&http.Client{Transport: transport}).Get(server.URL)
	require.NoError(t, err)
	transport.CloseIdleConnections()
	all.closeAll()
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err)
	require.NoError(t, resp.Body.Close())

	_, err = (&http.Client{Transport: transport}).Get(server.URL)
	require.Error(t, err, "a run that has ended opens no connections")
}
