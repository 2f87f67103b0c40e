package faults_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	listPath  = "http://faults/api/v1/configmaps"
	watchPath = listPath + "?watch=true&resourceVersion=5"
)

// event is the line of an ADDED event.
func event(name, resourceVersion string) string {
	return fakeapi.Line("ADDED", fakeapi.ConfigMap("default", name, resourceVersion))
}

// proxied serves the answers behind a proxy with a script, in a bubble.
func proxied(t *testing.T, script string, f func(t *testing.T, p *faults.Proxy), answers ...func() *fakeapi.Answer) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		written, err := faults.Parse(script)
		require.NoError(t, err)
		var made []*fakeapi.Answer
		for _, a := range answers {
			made = append(made, a())
		}
		server := fakeapi.New(t, made...)
		target, err := url.Parse(server.URL)
		require.NoError(t, err)
		p := faults.New(target, server.Client().Transport, written)
		t.Cleanup(func() { p.Close() })
		f(t, p)
	})
}

// three is a watch of three events and a bookmark after the second.
func three() *fakeapi.Answer {
	return fakeapi.Stream(fakeapi.Send(event("a", "6")), fakeapi.Send(event("b", "7")),
		fakeapi.Send(fakeapi.BookmarkLine("7")), fakeapi.Send(event("c", "8")))
}

// list is a list of one object.
func list() *fakeapi.Answer {
	return fakeapi.JSON(http.StatusOK, fakeapi.List("8", "", fakeapi.ConfigMap("default", "a", "6")))
}

// got is what a client sees of a response.
type got struct {
	status int
	header http.Header
	body   string
	err    error
}

// get makes a request through the proxy and reads until the end, or until the time is over.
func get(t *testing.T, p *faults.Proxy, address string, limit time.Duration) got {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	client := p.Client()
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	require.NoError(t, err)
	resp, err := client.Do(req)
	if err != nil {
		return got{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return got{resp.StatusCode, resp.Header, string(body), err}
}

func TestWithoutFaultsNothingChanges(t *testing.T) {
	proxied(t, "", func(t *testing.T, p *faults.Proxy) {
		require.Contains(t, get(t, p, listPath, time.Second).body, `"resourceVersion":"8"`)
		g := get(t, p, watchPath, time.Second)
		require.NoError(t, g.err)
		require.Equal(t, event("a", "6")+event("b", "7")+fakeapi.BookmarkLine("7")+event("c", "8"), g.body)
		s := p.Stats()
		require.Equal(t, [3]int{0, 1, 1}, [3]int{s.Total, s.Lists, s.Watches})
		require.EqualValues(t, len(g.body), s.WatchBytes)
	}, list, three)
}

// TestFaultsInAStream places each kind at the third event: ordinals leave the bookmark out.
func TestFaultsInAStream(t *testing.T) {
	before := event("a", "6") + event("b", "7") + fakeapi.BookmarkLine("7")
	half := event("c", "8")[:len(event("c", "8"))/2]
	for script, want := range map[string]struct {
		body, err string
	}{
		"1.3 cut":                     {before + half, "unexpected EOF"},
		"1.3 truncate":                {before + half, ""},
		"1.3 stall":                   {before, "context deadline exceeded"},
		"1.3 stall 3s":                {before, "unexpected EOF"},
		"1.2 close":                   {event("a", "6") + event("b", "7"), ""},
		"1 drop-bookmarks; 1.3 close": {event("a", "6") + event("b", "7") + event("c", "8"), ""},
		"1.3 delay 3s":                {before + event("c", "8"), ""},
	} {
		t.Run(script, func(t *testing.T) {
			proxied(t, script, func(t *testing.T, p *faults.Proxy) {
				start := time.Now()
				g := get(t, p, watchPath, 5*time.Second)
				require.Equal(t, http.StatusOK, g.status)
				require.Equal(t, want.body, g.body)
				if want.err == "" {
					require.NoError(t, g.err)
				} else {
					require.ErrorContains(t, g.err, want.err)
				}
				if strings.Contains(script, " 3s") {
					require.Equal(t, 3*time.Second, time.Since(start))
				}
				require.Equal(t, strings.Count(script, ";")+1, p.Stats().Total)
			}, three)
		})
	}
}

func TestErrorsInsideAResponseWithStatus200(t *testing.T) {
	for script, code := range map[string]int{"1.2 expired": 410, "1.2 error-event": 500} {
		t.Run(script, func(t *testing.T) {
			proxied(t, script, func(t *testing.T, p *faults.Proxy) {
				g := get(t, p, watchPath, time.Second)
				require.NoError(t, g.err)
				require.Equal(t, http.StatusOK, g.status)
				last := strings.TrimPrefix(g.body, event("a", "6"))
				var e struct {
					Type   string
					Object struct{ Code int }
				}
				require.NoError(t, json.Unmarshal([]byte(last), &e))
				require.Equal(t, "ERROR", e.Type)
				require.Equal(t, code, e.Object.Code)
			}, three)
		})
	}
}

func TestFaultsInsteadOfAnAnswer(t *testing.T) {
	for script, status := range map[string]int{"1 gone": 410, "1 too-many 2s": 429, "1 error": 500,
		"1 unavailable": 503} {
		t.Run(script, func(t *testing.T) {
			proxied(t, script, func(t *testing.T, p *faults.Proxy) {
				g := get(t, p, watchPath, time.Second)
				require.Equal(t, status, g.status)
				require.Contains(t, g.body, `"kind":"Status"`)
				if status == http.StatusTooManyRequests {
					require.Equal(t, "2", g.header.Get("Retry-After"))
				}
				require.Equal(t, http.StatusOK, get(t, p, watchPath, time.Second).status)
			}, three)
		})
	}
}

// A client that is told to come again in 0 seconds does not wait: the header says more than what it can't say.
func TestRetryAfterIsRoundedUp(t *testing.T) {
	for after, want := range map[time.Duration]string{0: "1", time.Millisecond: "1", 1500 * time.Millisecond: "2"} {
		synctest.Test(t, func(t *testing.T) {
			server := fakeapi.New(t)
			target, err := url.Parse(server.URL)
			require.NoError(t, err)
			p := faults.New(target, server.Client().Transport,
				faults.Written{{Request: 1, Kind: faults.TooMany, After: after}})
			t.Cleanup(func() { p.Close() })
			g := get(t, p, listPath, time.Second)
			require.Equal(t, want, g.header.Get("Retry-After"))
			require.Contains(t, g.body, `"retryAfterSeconds":`+want)
		})
	}
}

// A watch in protobuf has no lines: what comes is passed on as it comes, and no fault is placed by a line end that is
// none.
func TestAWatchThatIsNoJSONPasses(t *testing.T) {
	frames := func() *fakeapi.Answer {
		return fakeapi.Stream(fakeapi.Send("k8s\x00\nfirst"), fakeapi.Sleep(time.Minute), fakeapi.Send("\nsecond")).
			With("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch")
	}
	proxied(t, "1.1 cut; 1 drop-bookmarks", func(t *testing.T, p *faults.Proxy) {
		g := get(t, p, watchPath, time.Second)
		require.Equal(t, "k8s\x00\nfirst", g.body, "before anything else comes")
		r := p.Record(1)
		require.True(t, r.Opaque)
		require.Zero(t, r.Events)
		require.Empty(t, r.Fired)
		g = get(t, p, watchPath, time.Hour)
		require.NoError(t, g.err)
		require.Equal(t, "k8s\x00\nfirst\nsecond", g.body)
		require.Equal(t, "server closed", p.Record(2).End)
	}, frames, frames)
}

// The bookmark that ends the initial state is known, also in a Table, whose objects are in its rows.
func TestWhenTheInitialStateHasCome(t *testing.T) {
	end := map[string]any{"metadata": map[string]any{"resourceVersion": "6",
		"annotations": map[string]any{"k8s.io/initial-events-end": "true"}}}
	table := map[string]any{"kind": "Table", "rows": []any{map[string]any{"object": end}}}
	for name, last := range map[string]any{"objects": end, "tables": table} {
		t.Run(name, func(t *testing.T) {
			streaming := func() *fakeapi.Answer {
				return fakeapi.Stream(fakeapi.Send(event("a", "6")), fakeapi.Sleep(time.Minute),
					fakeapi.Send(fakeapi.Line("BOOKMARK", last)), fakeapi.Send(event("b", "7")))
			}
			proxied(t, "", func(t *testing.T, p *faults.Proxy) {
				begin := time.Now()
				get(t, p, listPath+"?watch=true&sendInitialEvents=true", 30*time.Second)
				require.Zero(t, p.Record(1).Synced)
				get(t, p, listPath+"?watch=true&sendInitialEvents=true", time.Hour)
				r := p.Record(2)
				require.Equal(t, begin.Add(90*time.Second), r.Synced)
				require.Equal(t, 1, r.Initial)
				require.Equal(t, 2, r.Events)
			}, streaming, streaming)
		})
	}
}

func TestAwayForNRequests(t *testing.T) {
	proxied(t, "1 away 2", func(t *testing.T, p *faults.Proxy) {
		require.Error(t, get(t, p, listPath, time.Second).err)
		require.Error(t, get(t, p, listPath, time.Second).err)
		require.Equal(t, http.StatusOK, get(t, p, listPath, time.Second).status)
		require.Equal(t, 2, p.Stats().Faults[faults.Away])
	}, list)
}

func TestFaultsOfAList(t *testing.T) {
	for script, wantErr := range map[string]string{
		"1 cut": "unexpected EOF", "1 truncate": "", "1 stall": "context deadline exceeded", "1 expired": "whole",
	} {
		t.Run(script, func(t *testing.T) {
			proxied(t, script, func(t *testing.T, p *faults.Proxy) {
				g := get(t, p, listPath, time.Second)
				switch wantErr {
				case "whole": // there is no event in a list for this one to replace
					require.True(t, json.Valid([]byte(g.body)))
				case "":
					require.NoError(t, g.err)
					require.False(t, json.Valid([]byte(g.body)))
				default:
					require.ErrorContains(t, g.err, wantErr)
				}
			}, list)
		})
	}
}

// TestQuiet shows what a writer waits for: the fault that its write set off is over, and the next
// watch is open.
func TestQuiet(t *testing.T) {
	gate := make(chan *fakeapi.Gate, 1)
	held := func() *fakeapi.Answer {
		g := fakeapi.NewGate()
		gate <- g
		return fakeapi.Stream(fakeapi.Pause(g), fakeapi.Send(event("a", "6")), fakeapi.Hang())
	}
	idle := func() *fakeapi.Answer { return fakeapi.Stream(fakeapi.Hang()) }
	proxied(t, "1.1 cut", func(t *testing.T, p *faults.Proxy) {
		go get(t, p, watchPath, time.Minute)
		require.NoError(t, p.Quiet(t.Context(), func() bool { return true }))
		(<-gate).Open()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, p.Quiet(ctx, func() bool { return true }), context.DeadlineExceeded, "no watch is open")
		go get(t, p, watchPath, time.Minute)
		require.NoError(t, p.Quiet(t.Context(), func() bool { return true }))
		time.Sleep(time.Hour) // both requests give up
		require.Equal(t, "1 WATCH rv=five -> 200, 0 events, cut [1.1 cut]\n"+
			"2 WATCH rv=five -> 200, 0 events, client closed\n",
			p.Transcript(func(rv string) string { return map[string]string{"5": "five"}[rv] }))
	}, held, idle)
}

func TestWritesPassUncounted(t *testing.T) {
	proxied(t, "1 gone", func(t *testing.T, p *faults.Proxy) {
		client := p.Client()
		defer client.CloseIdleConnections()
		resp, err := client.Post(listPath, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.Empty(t, p.Records())
	}, list)
}
