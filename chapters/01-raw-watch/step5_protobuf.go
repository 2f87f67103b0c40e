package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// protobufStream is the media type of a watch in protobuf.
const protobufStream = "application/vnd.kubernetes.protobuf;stream=watch"

// protobuf is step 5: the same two events in the two encodings.
func protobuf(ctx context.Context, l *lab.Lab) error {
	frames, err := protobufFrames(ctx, l, 2)
	if err != nil {
		return err
	}
	for _, frame := range frames {
		l.Wire("% x  the length: %d", frame[:4], len(frame)-4)
		for i := 4; i < min(len(frame), 4+3*16); i += 16 {
			part := frame[i:min(len(frame), i+16)]
			l.Wire("% x  %s", part, printable(part))
		}
		l.Wire("...")
	}
	stream, err := clientOf(l).Watch(ctx, configMaps(l), watch.Options{})
	if err != nil {
		return err
	}
	defer stream.Close()
	for i := range frames {
		event, meta, err := next(stream)
		if err != nil {
			return err
		}
		l.Conclude("%-6s %d bytes as protobuf, %d as JSON", meta.Name, len(frames[i])-4, len(event.Object))
	}
	l.Conclude("\"One JSON document a line\" is what this client asked for. It is not what an informer reads.")
	return nil
}

// protobufFrames watches in protobuf and returns the first n frames, each with its length of four bytes in front.
func protobufFrames(ctx context.Context, l *lab.Lab, n int) (frames [][]byte, err error) {
	url := l.Server.String() + configMaps(l) + "?watch=true"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", protobufStream)
	resp, err := l.Aloud(l.HTTPClient(), "Accept").Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	l.Wire("%s  Content-Type: %s", resp.Status, resp.Header.Get("Content-Type"))
	for len(frames) < n {
		frame, err := readFrame(resp.Body)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(frame, []byte(lab.ForeignConfigMap)) {
			frames = append(frames, frame)
		}
	}
	return frames, nil
}

// readFrame reads the length of a frame and the frame.
func readFrame(body io.Reader) ([]byte, error) {
	frame := make([]byte, 4)
	if _, err := io.ReadFull(body, frame); err != nil {
		return nil, fmt.Errorf("a frame's length: %w", err)
	}
	frame = append(frame, make([]byte, binary.BigEndian.Uint32(frame))...)
	if _, err := io.ReadFull(body, frame[4:]); err != nil {
		return nil, fmt.Errorf("a frame: %w", err)
	}
	return frame, nil
}

// printable replaces what is no ASCII letter, digit or sign with a dot.
func printable(b []byte) string {
	s := []byte(string(b))
	for i, c := range s {
		if c < ' ' || c > '~' {
			s[i] = '.'
		}
	}
	return string(s)
}
