package main

import (
	"context"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// resume comes back to a server with a small window, from versions inside and outside of it.
func resume(ctx context.Context, l *lab.Lab) error {
	s, err := startOurs(l, storage.Options{History: 4})
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.send(ctx, "POST", s.configMaps(), colour("0")); err != nil {
		return err
	}
	for i := 1; i < 6; i++ {
		if err := s.send(ctx, "PUT", s.configMaps()+"/colour", colour(fmt.Sprint(i))); err != nil {
			return err
		}
	}
	l.Say("The versions are 2 to 7; the window holds 4, 5, 6 and 7.")
	for _, from := range []string{"5", "3", "2"} {
		if err := s.show(ctx, l, s.configMaps()+"?watch=true&timeoutSeconds=1&resourceVersion="+from); err != nil {
			return err
		}
	}
	l.Conclude("From 3 nothing is missing: 4 is there. " +
		"From 2, 3 is gone: 410, inside of a 200, and the client has to list again.")
	return nil
}

// show prints a watch, event by event, until it ends.
func (s *server) show(ctx context.Context, l *lab.Lab, url string) error {
	response, lines, err := open(ctx, l.Aloud(s.http), url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	l.Wire("%s", response.Status)
	for lines.Scan() {
		e, err := parse(lines.Bytes())
		if err != nil {
			return err
		}
		if e.Type == "ERROR" {
			l.Event(e.Type, "%d %s: %s", e.Object.Code, e.Object.Reason, e.Object.Message)
			continue
		}
		l.Event(e.Type, "%s  resourceVersion %s", e.Object.Metadata.Name, e.Object.Metadata.ResourceVersion)
	}
	return lines.Err()
}
