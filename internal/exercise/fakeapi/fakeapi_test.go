package fakeapi

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// get asks for path and returns the response, its body unread.
func get(t *testing.T, ctx context.Context, s *Server, path string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestStreamEndsCleanlyOnAConnectionThatIsUsedAgain(t *testing.T) {
	s := New(t,
		Stream(Send("one\n", "two\n"), Send("three\n")),
		Status(410, "Expired", "too old"))

	resp := get(t, t.Context(), s, "/watch?watch=true")
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(body) != "one\ntwo\nthree\n" || err != nil {
		t.Fatalf("read %q, %v", body, err)
	}
	if len(resp.TransferEncoding) != 1 || resp.TransferEncoding[0] != "chunked" {
		t.Errorf("transfer encoding %v, want chunked", resp.TransferEncoding)
	}
	resp = get(t, t.Context(), s, "/again")
	body, _ = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != 410 || !strings.Contains(string(body), `"reason":"Expired"`) {
		t.Errorf("second answer: %d %s", resp.StatusCode, body)
	}
	r := s.Requests()
	if len(r) != 2 || r[0].Conn != 1 || r[1].Conn != 1 || r[0].Query.Get("watch") != "true" || r[0].Ending != Clean {
		t.Errorf("recorded %+v", r)
	}
	if r[0].Sent != 3 || !r[0].ReadToEnd || r[0].BodyOpen || r[0].Header.Get(idHeader) != "" {
		t.Errorf("recorded of the first: %+v", r[0])
	}
}

func TestCutIsAnUnexpectedEOF(t *testing.T) {
	s := New(t, Stream(Send(`{"type":"ADD`), Cut()))
	resp := get(t, t.Context(), s, "/")
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if string(body) != `{"type":"ADD` || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read %q, %v", body, err)
	}
}

func TestPauseHoldsTheStreamUntilTheGateOpens(t *testing.T) {
	gate := NewGate()
	s := New(t, Stream(Send("before\n"), Pause(gate), Send("after\n")))
	resp := get(t, t.Context(), s, "/")
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	if line, err := lines.ReadString('\n'); line != "before\n" || err != nil {
		t.Fatalf("first line %q, %v", line, err)
	}
	<-gate.Reached()
	if r := s.Requests(); r[0].Ending != "" {
		t.Errorf("at the gate the answer has ended: %+v", r[0])
	}
	gate.Open()
	if line, err := lines.ReadString('\n'); line != "after\n" || err != nil {
		t.Fatalf("second line %q, %v", line, err)
	}
}

func TestUnclosedBodyAndHangAreSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(t, Stream(Send("x\n"), Hang()), Stream(Hang()))
		get(t, t.Context(), s, "/leaked")
		ctx, cancel := context.WithCancel(t.Context())
		resp := get(t, ctx, s, "/closed")
		synctest.Wait()
		if active, _ := s.Conns(); active != 2 {
			t.Errorf("%d connections active, want 2", active)
		}
		cancel()
		_ = resp.Body.Close()
		synctest.Wait()
		open := s.OpenBodies()
		if len(open) != 1 || open[0].Path != "/leaked" {
			t.Errorf("open bodies: %v", open)
		}
		if r := s.Requests()[1]; r.Ending != ClientGone {
			t.Errorf("the closed one ended with %q, want %q", r.Ending, ClientGone)
		}
		s.Close()
		if r := s.Requests()[0]; r.Ending != ServerClosed || !r.BodyOpen {
			t.Errorf("after Close: %+v", r)
		}
	})
}

func TestSleepIsTheBubblesClockAndTimeoutsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(t, Stream(Sleep(time.Hour), Send("x\n")), Silence())
		start := time.Now()
		resp := get(t, t.Context(), s, "/")
		if _, err := io.ReadAll(resp.Body); err != nil || time.Since(start) != time.Hour {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		_ = resp.Body.Close()

		client := s.Client()
		client.Timeout = time.Minute
		if _, err := client.Get(s.URL); err == nil || time.Since(start) != time.Hour+time.Minute {
			t.Errorf("silence: %v after %v", err, time.Since(start))
		}
	})
}

func TestRequestBeyondTheScript(t *testing.T) {
	s := New(t)
	resp := get(t, t.Context(), s, "/")
	_ = resp.Body.Close()
	if r := s.Requests(); resp.StatusCode != 500 || !r[0].Unscripted {
		t.Errorf("%d, %+v", resp.StatusCode, r)
	}
	s.Otherwise(func(r Request) *Answer { return JSON(200, List("7", "", ConfigMap("default", r.Path, "5"))) })
	resp = get(t, t.Context(), s, "/x")
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if !strings.Contains(string(body), `"name":"/x"`) {
		t.Errorf("body %s", body)
	}
}

func TestGuardDefaultCounts(t *testing.T) {
	attempts := GuardDefault(t)
	if _, err := http.Get("http://" + Host); err == nil || attempts() != 1 {
		t.Errorf("%v, %d attempts", err, attempts())
	}
}
