package testkit

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("TESTKIT_CASE") != "" {
		os.Exit(m.Run()) // a case leaves goroutines behind on purpose
	}
	Main(m)
}

// TestCase does what TestBubbleSurvives watches, in a process of its own; without one it does nothing.
func TestCase(t *testing.T) {
	switch os.Getenv("TESTKIT_CASE") {
	case "left":
		Bubble(t, func(t *testing.T) { go func() { select {} }() })
	case "deadlock":
		Bubble(t, func(t *testing.T) { select {} })
	case "lock":
		BubbleLimit = 200 * time.Millisecond
		Bubble(t, func(t *testing.T) {
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		})
	case "panic":
		Bubble(t, func(t *testing.T) { panic("mine") })
	case "fails":
		Bubble(t, func(t *testing.T) { t.Fatal("in the bubble") })
	}
}

// TestAfterCase shows that a test after a bubble that was given up still runs.
func TestAfterCase(t *testing.T) {
	if os.Getenv("TESTKIT_CASE") == "" {
		return
	}
	Bubble(t, func(t *testing.T) { time.Sleep(time.Hour) })
	t.Log("the next test ran")
}

func TestBubbleSurvives(t *testing.T) {
	for name, want := range map[string][]string{
		"left":     {"goroutines were left in the bubble", "select (no cases)", "the next test ran"},
		"deadlock": {"every goroutine in the bubble waits", "the next test ran"},
		"lock":     {"the bubble still ran after 200ms of real time", "sync.Mutex.Lock"},
		"panic":    {"panic: mine"},
		"fails":    {"in the bubble", "the next test ran"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^Test(After)?Case$", "-test.v", "-test.timeout=1m")
			cmd.Env = append(os.Environ(), "TESTKIT_CASE="+name)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Error("the case passed")
			}
			for _, w := range want {
				if !strings.Contains(string(out), w) {
					t.Errorf("%q is not in:\n%s", w, out)
				}
			}
		})
	}
}

func TestBubbleTime(t *testing.T) {
	start := time.Now()
	Bubble(t, func(t *testing.T) {
		begin := time.Now()
		done := make(chan bool)
		go func() { time.Sleep(time.Hour); close(done) }()
		<-done
		if passed := time.Since(begin); passed != time.Hour {
			t.Errorf("%v passed", passed)
		}
	})
	if time.Since(start) > time.Minute {
		t.Error("an hour in a bubble took real time")
	}
}

// skipper is a TB that keeps why it was skipped.
type skipper struct {
	testing.TB
	why string
}

func (s *skipper) Helper() {}
func (s *skipper) Skipf(format string, args ...any) {
	s.why = strings.TrimSpace(format + " " + args[0].(string))
}

func (s *skipper) Fatal(args ...any) { s.why = args[0].(string) }

// The book's own server skips no test: it fails all that ask for something.
func TestNeedsNoBooksServer(t *testing.T) {
	t.Setenv("CLUSTER", "book")
	s := &skipper{TB: t}
	Needs(s)
	if s.why != NoBooksServer {
		t.Errorf("said: %q", s.why)
	}
}

func TestNeeds(t *testing.T) {
	for provider, skips := range map[string]bool{"": false, "local": false, "kind": true,
		"kubeconfig": true, "other": true} {
		t.Setenv("CLUSTER", provider)
		s := &skipper{TB: t}
		Needs(s, RestartServer, EtcdMetrics)
		if got := s.why != ""; got != skips {
			t.Errorf("CLUSTER=%q: skipped %v", provider, got)
		}
		if skips && !strings.HasSuffix(s.why, "restart-server, etcd-metrics") {
			t.Errorf("CLUSTER=%q: %q", provider, s.why)
		}
	}
}
