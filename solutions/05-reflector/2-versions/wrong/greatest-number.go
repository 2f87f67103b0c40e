// Misconception: the greatest version is the newest, and versions are numbers.
// Caught by: TestVersionsAreTexts
// Message: the belief that the greatest version is the newest

//go:build wrong

package versions

import "strconv"

func (v *Versions) Synced(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unavailable, v.synthetic = false, false
	before, _ := strconv.ParseUint(v.last, 10, 64)
	if now, err := strconv.ParseUint(version, 10, 64); err == nil && now > 0 && now < before {
		return
	}
	v.last = version
}
