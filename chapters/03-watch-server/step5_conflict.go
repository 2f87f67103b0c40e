package main

import (
	"context"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// updateTwice writes an object from what two clients have read, on both servers.
func updateTwice(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	rows := [][]string{{"", ourName, realName}, {"first client, from what it read"}, {"second client, from the same"},
		{"second client, read again"}, {"the same once more"}}
	refusal := ""
	for _, s := range servers {
		_, answer, err := s.request(ctx, "POST", s.configMaps(), `{"metadata":{"name":"pot"},"data":{"cups":"1"}}`)
		if err != nil {
			return err
		}
		read, _ := versionOf(answer)
		now := read
		for i, w := range []struct{ from, cups string }{{"read", "2"}, {"read", "3"}, {"now", "3"}, {"now", "3"}} {
			from := map[string]string{"read": read, "now": now}[w.from]
			code, answer, err := s.request(ctx, "PUT", s.configMaps()+"/pot", fmt.Sprintf(
				`{"metadata":{"name":"pot","resourceVersion":%q},"data":{"cups":%q}}`, from, w.cups))
			if err != nil {
				return err
			}
			version, message := versionOf(answer)
			cell := fmt.Sprint(code, ", new version")
			switch {
			case code == 409:
				cell, refusal = "409 Conflict", message
			case version == now:
				cell = fmt.Sprint(code, ", same version")
			}
			if code == 200 {
				now = version
			}
			rows[i+1] = append(rows[i+1], cell)
		}
		if err := s.send(ctx, "DELETE", s.configMaps()+"/pot", nil); err != nil {
			return err
		}
	}
	l.Table(rows...)
	for _, line := range fold(refusal, lab.Columns) {
		l.Wire("%s", line)
	}
	l.Conclude("The second client had not seen the first one's cup. " +
		"Without the 409 the pot would have lost it: see -fault lost.")
	return nil
}
