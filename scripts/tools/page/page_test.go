package page

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each colour of the style has its counterpart, so that no class breaks a diagram that is the first to use it.
func TestEachColourOfTheStyleHasACounterpart(t *testing.T) {
	style, err := os.ReadFile("../../../diagrams/style.d2")
	if err != nil {
		t.Fatal(err)
	}
	for _, colour := range regexp.MustCompile(`#[0-9A-F]{6}`).FindAllString(string(style), -1) {
		if dark[colour] == "" {
			t.Errorf("%s of style.d2 has no counterpart in page.go", colour)
		}
	}
}

// The colours change in the dark and nowhere else; one without a counterpart is refused.
func TestAPictureFollowsThePage(t *testing.T) {
	got, err := Follow([]byte(`<svg><rect fill="#FFFFFF" stroke="#1E7A45"/><rect fill="#FFFFFF"/></svg>`))
	if err != nil {
		t.Fatal(err)
	}
	want := `<svg><rect fill="#FFFFFF" stroke="#1E7A45"/><rect fill="#FFFFFF"/>` +
		`<style>@media (prefers-color-scheme:dark){[fill="#FFFFFF"]{fill:#0D1117}[stroke="#1E7A45"]{stroke:#56C983}}</style></svg>`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := Follow([]byte(`<svg><rect fill="#ABCDEF"/></svg>`)); err == nil ||
		!strings.Contains(err.Error(), "#ABCDEF") {
		t.Errorf("a colour that stays as it is in the dark: %v", err)
	}
}
