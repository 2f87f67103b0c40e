package claims

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// "A watch uses chunked transfer encoding": over HTTP/1.1. client-go negotiates HTTP/2, which has none.
//
// covers: B-06
func TestHTTP2HasNoTransferEncoding(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	config := kube.RESTConfig(t, f.Cluster.Cluster)
	clientGo, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(clientGo.Transport) })
	for name, c := range map[string]struct {
		client   *http.Client
		proto    string
		encoding []string
	}{
		"HTTP/1.1":  {f.http1(t), "HTTP/1.1", []string{"chunked"}},
		"HTTP/2":    {f.http2(t), "HTTP/2.0", nil},
		"client-go": {clientGo, "HTTP/2.0", nil},
	} {
		t.Run(name, func(t *testing.T) {
			resp := f.get(t, c.client, f.path+"?watch=true&fieldSelector=metadata.name%3Da")
			require.Equal(t, c.proto, resp.Proto)
			require.Equal(t, c.encoding, resp.TransferEncoding)
			event, err := watch.NewDecoder(resp.Body).Next()
			require.NoError(t, err)
			require.Equal(t, watch.Added, event.Type, "the events are the same")
		})
	}
}

// One connection carries several watches and the requests beside them over HTTP/2; over HTTP/1.1 an open watch has its
// connection for itself, and a request that was answered gives it back.
//
// covers: B-09 C-15
func TestConnectionsAreShared(t *testing.T) {
	f := setup(t)
	for name, c := range map[string]struct {
		client *http.Client
		want   []bool // for each request, whether its connection was used before
	}{
		"HTTP/1.1": {f.http1(t), []bool{false, true, false, false}},
		"HTTP/2":   {f.http2(t), []bool{false, true, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			var reused []bool
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn: func(info httptrace.GotConnInfo) { reused = append(reused, info.Reused) },
			})
			client := watch.Client{Server: f.Server.String(), HTTP: c.client}
			_, err := client.List(ctx, f.path, watch.Options{})
			require.NoError(t, err)
			for range 2 {
				s, err := client.Watch(ctx, f.path, watch.Options{})
				require.NoError(t, err)
				defer s.Close()
			}
			_, err = client.List(ctx, f.path, watch.Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, reused, "list, watch, watch, list")
		})
	}
}

// A network that swallows packets closes nothing, and TCP keep-alive is answered by whoever holds the connection: a
// client that only waits waits on. HTTP/2 pings are answered by the API server, or not, and client-go sends them.
//
// covers: B-13 C-15
func TestASilentNetworkIsFoundByPings(t *testing.T) {
	t.Setenv("HTTP2_READ_IDLE_TIMEOUT_SECONDS", "1") // the default is 30
	t.Setenv("HTTP2_PING_TIMEOUT_SECONDS", "1")      // the default is 15
	f := setup(t)
	f.create("a", nil)
	wall := newWall(t, f.Server.Host)

	clientGo := utilnet.SetTransportDefaults(wall.transport(f))
	pings := wall.transport(f)
	pings.HTTP2 = &http.HTTP2Config{SendPingTimeout: time.Second, PingTimeout: time.Second}
	plain := wall.transport(f)
	ends := map[string]chan error{}
	for name, transport := range map[string]*http.Transport{"client-go": clientGo, "pings": pings, "plain": plain} {
		t.Cleanup(transport.CloseIdleConnections)
		resp := f.get(t, f.Client(transport), f.path+"?watch=true&fieldSelector=metadata.name%3Da")
		d := watch.NewDecoder(resp.Body)
		_, err := d.Next()
		require.NoError(t, err)
		end := make(chan error, 1)
		ends[name] = end
		go func() {
			_, err := d.Next()
			end <- err
		}()
	}
	wall.silence()
	for _, name := range []string{"client-go", "pings"} {
		err := <-ends[name]
		require.ErrorContains(t, err, "client connection lost", name)
	}
	select {
	case err := <-ends["plain"]:
		t.Fatalf("a client without pings noticed: %v", err)
	default:
	}
}

// wall forwards connections to the API server until it falls silent, and keeps them open then.
type wall struct {
	net.Listener
	t       *testing.T
	silent  chan struct{}
	silence func()
}

func newWall(t *testing.T, server string) *wall {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &wall{Listener: l, t: t, silent: make(chan struct{})}
	w.silence = sync.OnceFunc(func() { close(w.silent) })
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); up.Close() })
			all.Go(func() { w.forward(client, up) })
			all.Go(func() { w.forward(up, client) })
		}
	})
	return w
}

// forward copies until the wall is silent; then it reads on, so that nobody's buffer fills, and forwards nothing.
func (w *wall) forward(to io.Writer, from io.Reader) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		select {
		case <-w.silent:
		default:
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
	}
}

// transport returns a transport that dials the wall in place of the API server.
func (w *wall) transport(f *fixture) *http.Transport {
	transport := f.NewTransport()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return f.Dial(ctx, network, w.Addr().String())
	}
	return transport
}

// client-go limits itself to 5 requests a second after the first 10, unless it is told not to; a controller that uses
// controller-runtime is told not to, because the server shares itself out, and says so in each response.
//
// covers: C-15
func TestWhoLimitsTheRate(t *testing.T) {
	f := setup(t)
	config := kube.RESTConfig(t, f.Cluster.Cluster)
	config.QPS = 0
	limited, err := rest.UnversionedRESTClientFor(plainJSON(config))
	require.NoError(t, err)
	require.InDelta(t, 5, limited.GetRateLimiter().QPS(), 0.01)
	require.Equal(t, 10, rest.DefaultBurst)
	config.QPS = -1
	free, err := rest.UnversionedRESTClientFor(plainJSON(config))
	require.NoError(t, err)
	require.Nil(t, free.GetRateLimiter())

	resp, _ := f.Do(http.MethodGet, f.path, nil)
	for name := range resp.Header {
		if strings.HasPrefix(name, "X-Kubernetes-Pf-Prioritylevel") {
			return
		}
	}
	t.Errorf("the response names no priority level: %v", resp.Header)
}

// plainJSON completes a configuration for a REST client without a group.
func plainJSON(config *rest.Config) *rest.Config {
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	return config
}
