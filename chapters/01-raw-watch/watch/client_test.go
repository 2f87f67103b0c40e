package watch

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

const path = "/api/v1/namespaces/default/configmaps"

func client(s *fakeapi.Server) *Client { return &Client{Server: s.URL, HTTP: s.Client()} }

func added(name string) string { return line(Added, name) }

func TestWatchDeliversWhileTheResponseIsOpen(t *testing.T) {
	gate := fakeapi.NewGate()
	s := fakeapi.New(t, fakeapi.Stream(fakeapi.Send(added("a")), fakeapi.Pause(gate), fakeapi.Send(added("b"))),
		fakeapi.JSON(200, fakeapi.List("9", "")))
	stream, err := client(s).Watch(t.Context(), path, Options{})
	require.NoError(t, err)
	e, err := stream.Next()
	require.NoError(t, err)
	meta, err := e.Meta()
	require.NoError(t, err)
	require.Equal(t, "a", meta.Name, "the server has not sent b, and this is here")
	gate.Open()
	_, err = stream.Next()
	require.NoError(t, err)
	_, err = stream.Next()
	require.Equal(t, io.EOF, err)
	require.NoError(t, stream.Close())

	_, err = client(s).List(t.Context(), path, Options{})
	require.NoError(t, err)
	require.Equal(t, s.Requests()[0].Conn, s.Requests()[1].Conn, "a stream read to its end gives its connection back")
}

func TestWatchReportsACut(t *testing.T) {
	for name, half := range map[string]string{"inside an event": `{"type":"MODIF`, "between two": ""} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t, fakeapi.Stream(fakeapi.Send(added("a"), half), fakeapi.Cut()))
			stream, err := client(s).Watch(t.Context(), path, Options{})
			require.NoError(t, err)
			defer stream.Close()
			events, err := drain(stream.decoder)
			require.Equal(t, []string{"ADDED a"}, events)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		})
	}
}

func TestRefusalsAreErrorsBeforeAnyEvent(t *testing.T) {
	for name, c := range map[string]struct {
		answer *fakeapi.Answer
		want   string
	}{
		"a Status": {fakeapi.Status(410, "Expired", "too old"), "the API server answered 410 Expired: too old"},
		"no Status": {fakeapi.Respond(502, "text/html", "<h1>oops"),
			`the API server answered 502 Bad Gateway: "<h1>oops"`},
		"a login page": {fakeapi.Respond(200, "text/html; charset=utf-8", "<form>"), "is this an API server?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t, c.answer)
			_, err := client(s).Watch(t.Context(), path, Options{})
			require.ErrorContains(t, err, c.want)
			require.Empty(t, s.OpenBodies(), "the body of a refusal is closed")
		})
	}
}

func TestWatchRefusesAClientWithATimeout(t *testing.T) {
	c := &Client{Server: "http://127.0.0.1:1", HTTP: &http.Client{Timeout: time.Minute}}
	_, err := c.Watch(t.Context(), path, Options{})
	require.ErrorContains(t, err, "http.Client.Timeout is 1m0s and would cut the stream")
}

func TestNextReturnsWhenTheContextEndsAndWhenTheStreamIsClosed(t *testing.T) {
	for name, end := range map[string]func(cancel func(), s *Stream){
		"context": func(cancel func(), _ *Stream) { cancel() },
		"close":   func(_ func(), s *Stream) { s.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t, fakeapi.Stream(fakeapi.Send(added("a")), fakeapi.Hang()))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			stream, err := client(s).Watch(ctx, path, Options{})
			require.NoError(t, err)
			defer stream.Close()
			_, err = stream.Next()
			require.NoError(t, err)
			done := make(chan error)
			go func() {
				_, err := stream.Next()
				done <- err
			}()
			end(cancel, stream)
			err = <-done
			require.Error(t, err)
			require.NotErrorIs(t, err, io.EOF, "the server has not ended it")
		})
	}
}

func TestListReadsPagesAndGivesTheConnectionBack(t *testing.T) {
	s := fakeapi.New(t,
		fakeapi.JSON(200, fakeapi.List("9", "more", fakeapi.ConfigMap("default", "a", "5"))),
		fakeapi.JSON(200, fakeapi.List("9", "", fakeapi.ConfigMap("default", "b", "6"))))
	var names []string
	o := Options{Limit: 1}
	for {
		page, err := client(s).List(t.Context(), path, o)
		require.NoError(t, err)
		require.Equal(t, "9", page.Metadata.ResourceVersion)
		meta, err := MetaOf(page.Items[0])
		require.NoError(t, err)
		names = append(names, meta.Key())
		o.Continue = page.Metadata.Continue
		if o.Continue == "" {
			break
		}
	}
	require.Equal(t, []string{"default/a", "default/b"}, names)
	require.Equal(t, s.Requests()[0].Conn, s.Requests()[1].Conn)
}

func TestOptionsAreTheServersParameters(t *testing.T) {
	for want, o := range map[string]Options{
		"watch=true": {},
		"labelSelector=a%3Db&resourceVersion=0&timeoutSeconds=9&watch=true": {LabelSelector: "a=b",
			ResourceVersion: "0", TimeoutSeconds: 9},
		"allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=false&watch=true": {
			AllowWatchBookmarks: true, ResourceVersionMatch: "NotOlderThan", SendInitialEvents: "false"},
		"fieldSelector=metadata.name%21%3Da&watch=true": {FieldSelector: "metadata.name!=a"},
	} {
		require.Equal(t, want, o.query(true))
		_, err := url.ParseQuery(want)
		require.NoError(t, err)
	}
	require.Equal(t, "continue=x&limit=5", Options{Limit: 5, Continue: "x"}.query(false),
		"a list is a GET without watch")
}

func TestPath(t *testing.T) {
	require.Equal(t, "/api/v1/namespaces/a/configmaps", Path("", "v1", "a", "configmaps"))
	require.Equal(t, "/api/v1/nodes", Path("", "v1", "", "nodes"))
	require.Equal(t, "/apis/apps/v1/namespaces/a/deployments/d/scale",
		Path("apps", "v1", "a", "deployments", "d", "scale"))
}

// The API server sheds load with a 429 whose body is a line of text: how long to wait stands in the header alone.
func TestADelayThatOnlyTheHeaderNames(t *testing.T) {
	for header, want := range map[string]int{"7": 7, "soon": 0, "": 0} {
		answer := fakeapi.Respond(http.StatusTooManyRequests, "text/plain",
			"Too many requests, please try again later.")
		s := fakeapi.New(t, answer.With("Retry-After", header))
		_, err := client(s).Watch(t.Context(), path, Options{})
		var status *StatusError
		require.ErrorAs(t, err, &status)
		require.Equal(t, want, status.Details.RetryAfterSeconds, "Retry-After: %s", header)
	}
}
