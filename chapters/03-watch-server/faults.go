package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// failures are what -fault shows: a server that is simpler than it may be, and clients that are hastier.
func failures() []lab.Fault {
	step := func(name string, s lab.Step) lab.Fault { return lab.Fault{Name: name, Steps: []lab.Step{s}} }
	return []lab.Fault{
		step("noflush", lab.Step{Title: "A server that does not flush", Run: noFlush,
			Why: "The same server, but Flush does nothing. " +
				"A client watches; objects are created, and what has arrived is counted."}),
		step("slow", lab.Step{Title: "A client that stops reading", Run: slowClient,
			Why: "Two clients watch. One reads nothing, while ConfigMaps of 100 kB are written. " +
				"Its queue on the server holds 20 events."}),
		step("lost", lab.Step{Title: "A write that gets lost", Run: lostUpdate,
			Why: "Two clients add a cup each. " +
				"First they leave metadata.resourceVersion out of the PUT, then they send it."}),
	}
}

// deaf is a response whose Flush does nothing.
type deaf struct{ http.ResponseWriter }

func (d deaf) Flush() {}

// noFlush counts what arrives of a watch that is never flushed.
func noFlush(ctx context.Context, l *lab.Lab) error {
	s, err := startOurs(l, storage.Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(deaf{w}, r) })
	})
	if err != nil {
		return err
	}
	defer s.stop()
	arrived, ended := make(chan int), make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { ended <- read(ctx, s, "1", arrived) }()
	created, got := 0, 0
	for got == 0 && created < 100 {
		if err := s.send(ctx, "POST", s.configMaps(), fmt.Sprintf(`{"metadata":{"name":"c%d"}}`, created)); err != nil {
			return err
		}
		created++
		wait := 50 * time.Millisecond
		if created == 1 {
			wait = time.Second
		}
		select {
		case got = <-arrived:
		case err := <-ended:
			return err
		case <-time.After(wait):
			if created == 1 {
				l.Conclude("1 created, and a second later the client has nothing, not even the header of the answer.")
			}
		}
	}
	got = lastOf(arrived, got, 100*time.Millisecond)
	l.Conclude("%d created, and the client has %d: net/http's buffer of 4 KB was full. "+
		"The rest waits for the next ones.", created, got)
	return nil
}

// lastOf is the last number that comes before the channel is quiet for so long; n if none comes.
func lastOf(numbers <-chan int, n int, quiet time.Duration) int {
	for {
		select {
		case n = <-numbers:
		case <-time.After(quiet):
			return n
		}
	}
}

// read watches, and says after each event how many there were.
func read(ctx context.Context, s *server, from string, arrived chan<- int) error {
	response, lines, err := open(ctx, s.http, s.configMaps()+"?watch=true&resourceVersion="+from)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for n := 1; lines.Scan(); n++ {
		select {
		case arrived <- n:
		case <-ctx.Done():
			return nil
		}
	}
	return lines.Err()
}

// drain reads a stream that was evicted to its end, and says how many events came and the version of the last.
func drain(lines *bufio.Scanner) (got int, last string, err error) {
	for last = "1"; lines.Scan(); got++ {
		e, err := parse(lines.Bytes())
		if err != nil {
			return got, last, err
		}
		last = e.Object.Metadata.ResourceVersion
	}
	if err := lines.Err(); err != nil && err != io.ErrUnexpectedEOF {
		return got, last, err
	}
	return got, last, nil
}

// slowClient shows who pays for a client that does not read.
func slowClient(ctx context.Context, l *lab.Lab) error {
	s, err := startOurs(l, storage.Options{Buffer: 20})
	if err != nil {
		return err
	}
	defer s.stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slow, lines, err := open(ctx, s.http, s.configMaps()+"?watch=true&resourceVersion=1")
	if err != nil {
		return err
	}
	defer slow.Body.Close()
	arrived, ended := make(chan int), make(chan error, 1)
	go func() { ended <- read(ctx, s, "1", arrived) }()
	value := strings.Repeat("x", 100_000)
	var slowest time.Duration
	writes, evicted := 0, 0
	for i := 0; evicted == 0 || i < evicted+50; i++ { // each socket on the way has room
		writes = i + 1
		begin := time.Now()
		if err := s.send(ctx, "POST", s.configMaps(),
			fmt.Sprintf(`{"metadata":{"name":"c%d"},"data":{"value":%q}}`, i, value)); err != nil {
			return err
		}
		slowest = max(slowest, time.Since(begin))
		select {
		case <-arrived:
		case err := <-ended:
			return err
		}
		if evicted == 0 && s.store.Watchers() == 1 {
			evicted = i + 1
		}
	}
	l.Conclude("%d writes, and each was seen by the other client before the next; the slowest took %v.",
		writes, slowest.Round(time.Millisecond))
	l.Conclude("The store dropped the slow watcher after write %d: "+
		"what the sockets and its queue could hold was full.", evicted)
	got, last, err := drain(lines)
	if err != nil {
		return err
	}
	l.Conclude("Now it reads: %d events, version %s the last, and the stream ends. It resumes from there:", got, last)
	from, _ := strconv.Atoi(last)
	replay, err := s.store.Watch(storage.Query{Resource: "configmaps"}, uint64(from), false)
	if err != nil {
		return err
	}
	replay.Stop()
	l.Conclude("%d more are in the window. %d + %d = %d, none lost.", len(replay.Initial), got, len(replay.Initial),
		got+len(replay.Initial))
	return nil
}

// lostUpdate writes without and with a version.
func lostUpdate(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	rows := [][]string{{"two clients read 1 cup, and each adds one", ourName, realName}, {"without resourceVersion"},
		{"with resourceVersion"}}
	for _, s := range servers {
		for i, condition := range []bool{false, true} {
			_, answer, err := s.request(ctx, "POST", s.configMaps(), `{"metadata":{"name":"pot"},"data":{"cups":"1"}}`)
			if err != nil {
				return err
			}
			version, _ := versionOf(answer)
			if !condition {
				version = ""
			}
			var codes []string
			for range 2 {
				code, _, err := s.request(ctx, "PUT", s.configMaps()+"/pot", fmt.Sprintf(
					`{"metadata":{"name":"pot","resourceVersion":%q},"data":{"cups":"2"}}`, version))
				if err != nil {
					return err
				}
				codes = append(codes, fmt.Sprint(code))
			}
			rows[i+1] = append(rows[i+1], strings.Join(codes, ", "))
			if err := s.send(ctx, "DELETE", s.configMaps()+"/pot", nil); err != nil {
				return err
			}
		}
	}
	l.Table(rows...)
	l.Conclude("Without it both are told 200 and there are 2 cups, where there should be 3. " +
		"With it the second is told 409, and looks again.")
	return nil
}
