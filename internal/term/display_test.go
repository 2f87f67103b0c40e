package term

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainLinesComeEveryTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		d := NewDisplay(&out)
		d.Say("Building %s.", "etcd")
		task := d.Begin("Compiling")
		task.Set(3, 10, "packages")
		task.Detail("k8s.io/api")
		time.Sleep(2*time.Second + time.Millisecond)
		task.Set(9, 10, "packages")
		time.Sleep(20 * time.Second)
		task.End("Built in %s.", "22s")
		want := "Building etcd.\n" +
			"Compiling  3 of 10 packages  2s  k8s.io/api\n" +
			"Compiling  9 of 10 packages  12s  k8s.io/api\n" +
			"Compiling  9 of 10 packages  22s  k8s.io/api\n" +
			"Built in 22s.\n"
		if out.String() != want {
			t.Errorf("got\n%s\nwant\n%s", out.String(), want)
		}
	})
}

func TestShortWorkLeavesNoPlainLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		task := NewDisplay(&out).Begin("Compiling")
		time.Sleep(time.Second)
		task.End("")
		task.End("")
		if out.Len() > 0 {
			t.Errorf("a second's work printed %q", out.String())
		}
	})
}

func TestTerminalRedrawsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		d := newScreen(&out, 40, false)
		task := d.Begin("Compiling")
		task.Set(1, 2, "packages")
		task.Detail("a/package/with/a/name/that/does/not/fit")
		time.Sleep(redrawEvery + time.Millisecond)
		d.Say("a line that stays")
		task.End("")
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%d lines were printed, want the one that was said:\n%q", n, out.String())
		}
		for _, line := range strings.Split(out.String(), "\r\x1b[K") {
			if len(strings.TrimSuffix(line, "\n")) > 39 {
				t.Errorf("the line is wider than the terminal: %q", line)
			}
		}
		if !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("the line is still there at the end: %q", out.String())
		}
	})
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	for _, colour := range []bool{true, false} {
		var out bytes.Buffer
		newScreen(&out, 80, colour).Begin("Compiling").End("")
		if got := strings.Contains(out.String(), "\x1b[36m"); got != colour {
			t.Errorf("colour %v: %q", colour, out.String())
		}
	}
	t.Setenv("NO_COLOR", "1")
	if colours() {
		t.Error("NO_COLOR is not honoured")
	}
}

func TestBuffersAreNoTerminals(t *testing.T) {
	if _, ok := Width(&bytes.Buffer{}); ok {
		t.Error("a buffer is taken for a terminal")
	}
}

func TestElapsed(t *testing.T) {
	for want, d := range map[string]time.Duration{"0s": 0, "59s": 59 * time.Second, "1m05s": 65 * time.Second,
		"1m00s": 59999 * time.Millisecond} {
		if got := Elapsed(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
}
