package faultserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

const watched = "/api/v1/namespaces/tea/configmaps?watch=true&resourceVersion=5"

// webSocket is the client's end of a watch over a WebSocket.
type webSocket struct {
	net.Conn
	r      *bufio.Reader
	answer *http.Response
}

// hello asks for a watch as fabric8's client does, with headers of the test's own in place of some.
func (r *run) hello(t *testing.T, target string, headers ...string) *webSocket {
	t.Helper()
	conn, err := r.in.Dial(t.Context(), "", "")
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	h := http.Header{"Authorization": {"Bearer " + r.door.token}, "Connection": {"keep-alive, Upgrade"},
		"Upgrade": {"websocket"}, "Origin": {"https://127.0.0.1"}, "Sec-Websocket-Version": {"13"},
		"Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}, "User-Agent": {"fabric8-kubernetes-client/6.13.4"}}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			h.Del(headers[i])
		}
	}
	var head strings.Builder
	fmt.Fprintf(&head, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", target)
	require.NoError(t, h.Write(&head))
	_, err = io.WriteString(conn, head.String()+"\r\n")
	require.NoError(t, err)
	s := &webSocket{Conn: conn, r: bufio.NewReader(conn)}
	s.answer, err = http.ReadResponse(s.r, &http.Request{Method: http.MethodGet})
	if err != nil {
		s.answer = &http.Response{Status: err.Error()}
	}
	return s
}

// all is what the server says until it ends: the messages, and how it ends.
func (s *webSocket) all() (said []string) {
	for {
		kind, text, err := serverFrame(s.r)
		switch {
		case err != nil && text != "":
			return append(said, "half: "+text, err.Error())
		case err != nil:
			return append(said, err.Error())
		case kind == 0x80|closeFrame:
			return append(said, fmt.Sprintf("closed %x", text))
		}
		said = append(said, text)
	}
}

// pair is a watch of two events, the second after a second.
func pair() *fakeapi.Answer {
	return fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Sleep(time.Second),
		fakeapi.Send(configMap("ADDED", "prices", "7")))
}

// A watch over a WebSocket fails as one over HTTP does, and the API server is asked over HTTP.
func TestFaultsOverAWebSocket(t *testing.T) {
	menu, prices := configMap("ADDED", "menu", "6"), configMap("ADDED", "prices", "7")
	const closed = "closed 03e8" // 1000: kube-apiserver says no other
	half := prices[:len(prices)/2]
	for fault, want := range map[string][]string{
		"9 cut":           {menu, prices, closed},
		"1.2 cut":         {menu, "half: " + half, "EOF"},
		"1.2 truncate":    {menu, half, closed},
		"1.1 close":       {menu, closed},
		"1.2 stall 30s":   {menu, "EOF"},
		"1.2 delay 5s":    {menu, prices, closed},
		"1.1 expired":     {"too old resource version: 5", closed},
		"1.2 error-event": {menu, "internal error (injected fault)", closed},
	} {
		t.Run(fault, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, "configmaps "+fault, false, pair())
				s := r.hello(t, watched)
				require.Equal(t, http.StatusSwitchingProtocols, s.answer.StatusCode)
				require.Equal(t, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", s.answer.Header.Get("Sec-WebSocket-Accept"),
					"the example of RFC 6455, section 1.3")
				got := s.all()
				require.Len(t, got, len(want), "%q", got)
				for i := range want {
					require.Contains(t, got[i], want[i])
				}
				asked := r.api.Requests()
				require.Len(t, asked, 1)
				require.Empty(t, asked[0].Header.Get("Upgrade"))
				require.Empty(t, asked[0].Header.Get("Sec-WebSocket-Key"))
				said := r.said(t)
				require.Contains(t, said, "> T  configmaps 1  WATCH over a WebSocket  ")
				require.Contains(t, said, "(fabric8-kubernetes-client)")
				struck := strings.Contains(said, "FAULT T  configmaps "+fault[:3])
				require.Equal(t, !strings.HasPrefix(fault, "9"), struck)
			})
		})
	}
}

// A fault of the whole request is answered over HTTP, as by kube-apiserver, which upgrades when a watch begins.
func TestAWebSocketThatDoesNotBegin(t *testing.T) {
	for fault, code := range map[string]int{"gone": 410, "too-many 3s": 429, "error": 500, "unavailable": 503,
		"away": 0} {
		testkit.Bubble(t, func(t *testing.T) {
			r := start(t, "configmaps 1 "+fault, false, pair())
			s := r.hello(t, watched)
			require.Equal(t, code, s.answer.StatusCode, s.answer.Status)
			if code == 429 {
				require.Equal(t, "3", s.answer.Header.Get("Retry-After"))
			}
			require.Len(t, r.hello(t, watched).all(), 3, "the next one begins")
			require.Contains(t, r.said(t), "> at once, configmaps 2: a WATCH from version 5")
		})
	}
	testkit.Bubble(t, func(t *testing.T) { // and so is the server's own refusal
		r := start(t, "configmaps 9 gone", false, fakeapi.Status(http.StatusForbidden, "Forbidden", "not you"))
		s := r.hello(t, watched)
		require.Equal(t, http.StatusForbidden, s.answer.StatusCode)
		body, err := io.ReadAll(s.answer.Body)
		require.NoError(t, err)
		require.Contains(t, string(body), "not you")
		require.Contains(t, r.said(t), "configmaps 1  403 Forbidden, whole")
	})
}

// The proxy answers pings between events, and hears a client that ends the watch, or goes without a word.
func TestAWebSocketsClientIsHeard(t *testing.T) {
	open := func() *fakeapi.Answer {
		return fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Hang())
	}
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 9 gone", true, open(), open(), open())
		s := r.hello(t, watched)
		_, err := s.Write(append(clientFrame(textFrame, "nobody listens"), clientFrame(pingFrame, "here?")...))
		require.NoError(t, err)
		var heard []string
		for range 2 { // in any order
			kind, text, err := serverFrame(s.r)
			require.NoError(t, err)
			heard = append(heard, fmt.Sprintf("%x %s", kind, text))
		}
		require.ElementsMatch(t, []string{"8a here?", "81 " + configMap("ADDED", "menu", "6")}, heard)
		_, err = s.Write(clientFrame(closeFrame, "\x03\xe8"))
		require.NoError(t, err)
		require.Equal(t, []string{"closed 03e8"}, s.all())

		s = r.hello(t, watched)
		s.Close()
		s = r.hello(t, watched)
		_, _, err = serverFrame(s.r)
		require.NoError(t, err)
		_, err = s.Write(frameHead(textFrame, 0)) // not masked
		require.NoError(t, err)
		require.Equal(t, []string{"EOF"}, s.all())
		synctest.Wait()
		require.Empty(t, r.api.OpenBodies(), "the API server is not kept waiting")
		said := r.said(t)
		for n := 1; n <= 3; n++ {
			require.Contains(t, said, fmt.Sprintf("configmaps %d  200 OK, ", n))
		}
		require.Equal(t, 3, strings.Count(said, ", client closed\n"), said)
	})
}

// The client may answer the closing frame, and is waited for no longer than that, and not for ever.
func TestTheEndOfAWebSocket(t *testing.T) {
	for name, c := range map[string]struct{ after, ends time.Duration }{
		"it answers":  {100 * time.Millisecond, 100 * time.Millisecond},
		"it does not": {0, patience},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, "configmaps 1.1 close", false, pair())
				s := r.hello(t, watched)
				require.Equal(t, "closed 03e8", s.all()[1])
				begin := time.Now()
				if c.after > 0 {
					time.Sleep(c.after)
					_, err := s.Write(clientFrame(closeFrame, "\x03\xe8"))
					require.NoError(t, err)
				}
				require.Equal(t, []string{"EOF"}, s.all(), "there is one closing frame")
				require.Equal(t, c.ends, time.Since(begin))
			})
		})
	}
}

// Nothing of an open WebSocket outlives the proxy, also where the client does not read.
func TestCloseEndsAWebSocket(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 9 gone", false,
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Hang()),
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Hang()))
		silent := r.hello(t, watched)
		reads := r.hello(t, watched)
		_, _, err := serverFrame(reads.r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, []string{"EOF"}, reads.all())
		require.Equal(t, []string{"EOF"}, silent.all())
	})
}

// What kube-apiserver refuses, with a code alone, is refused with words, and shown.
func TestAWebSocketThatIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		header, value string
		code          int
		want          string
	}{
		"no key":           {"Sec-Websocket-Key", "", 400, "a WebSocket begins with a Sec-WebSocket-Key"},
		"an old version":   {"Sec-Websocket-Version", "8", 400, "knows version 13 of WebSockets alone"},
		"no origin":        {"Origin", "", 403, "needs the header Origin, with a URL"},
		"a strange origin": {"Origin", "null", 403, "needs the header Origin, with a URL"},
		"two protocols":    {"Sec-Websocket-Protocol", "a, b", 400, "one Sec-WebSocket-Protocol at most"},
		"protobuf alone": {"Accept", "application/vnd.kubernetes.protobuf", 406,
			"passes a watch over a WebSocket on in JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, "configmaps 1 gone", false)
				for range 2 {
					s := r.hello(t, watched, c.header, c.value)
					require.Equal(t, c.code, s.answer.StatusCode)
					body, err := io.ReadAll(s.answer.Body)
					require.NoError(t, err)
					require.Contains(t, string(body), c.want)
				}
				require.Empty(t, r.api.Requests())
				said := strings.Join(strings.Fields(r.said(t)), " ")
				require.Equal(t, 1, strings.Count(said, fmt.Sprintf("< T %d: ", c.code)), "said once")
				require.Contains(t, said, c.want)
			})
		})
	}
}

// One protocol is agreed to; and a list with the same headers is a list.
func TestWhatElseAsksForAWebSocket(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 9 gone", false, pair(), fakeapi.JSON(http.StatusOK, fakeapi.List("8", "")))
		s := r.hello(t, watched, "Sec-Websocket-Protocol", "v4.channel.k8s.io")
		require.Equal(t, "v4.channel.k8s.io", s.answer.Header.Get("Sec-WebSocket-Protocol"))
		require.Len(t, s.all(), 3)
		s = r.hello(t, "/api/v1/configmaps")
		require.Equal(t, http.StatusOK, s.answer.StatusCode)
		require.Contains(t, r.said(t), "configmaps 2  LIST  /api/v1/configmaps")
	})
}
